// Answers prompts with an engine that is not the project's own, from the same
// weights. It reads one JSON object from standard input,
//   {"weights": PATH, "most": TOKENS, "greedy": [TEXT],
//    "drawn": [{"prompt": TEXT, "temperature": T, "seed": N}]}
// and writes {"greedy": [{"tokens": [ID], "text": TEXT}], "drawn": [TEXT]}.
// Prompts hold the special tokens as text.
'use strict';
const { loadModel } = require('@fugood/llama.node');

(async () => {
  const chunks = [];
  for await (const c of process.stdin) chunks.push(c);
  const job = JSON.parse(Buffer.concat(chunks).toString());
  const load = () => loadModel({ model: job.weights, n_ctx: 512, n_gpu_layers: 0, n_threads: 1, use_mmap: false });
  let model = await load();
  // Every sampler but the temperature is off; those that are not named are on.
  const all = { top_k: 0, top_p: 1, min_p: 0, typ_p: 1, top_n_sigma: -1, xtc_probability: 0, dry_multiplier: 0, penalty_last_n: 0, n_predict: job.most, n_threads: 1 };
  const complete = async (options) => {
    for (let tries = 0; ; tries++) {
      try {
        return (await model.completion({ ...all, ...options })).text;
      } catch (e) {
        // Where a completion ends before the call that began it returns, the
        // binding holds it for unfinished for ever. Another context does not.
        if (tries === 5 || !/in progress/.test(e.message)) throw e;
        model = await load();
      }
    }
  };
  const out = { greedy: [], drawn: [] };
  for (const prompt of job.greedy || []) {
    const { tokens } = await model.tokenize(prompt);
    const text = await complete({ prompt, temperature: 0, top_k: 1 });
    out.greedy.push({ tokens: Array.from(tokens), text });
  }
  for (const d of job.drawn || []) {
    out.drawn.push(await complete({ prompt: d.prompt, temperature: d.temperature, seed: d.seed }));
  }
  process.stdout.write(JSON.stringify(out) + '\n', () => process.exit(0));
})().catch((e) => {
  console.error(e);
  process.exit(1);
});
