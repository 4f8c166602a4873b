package text

import (
	"strings"
)

var switchLanguageTransform = Transform{
	ID:  "switch_language/1",
	Doc: "Lets the response come in a wrong language: all of it, from some sentence on, or as words of another script scattered through it. The foreign sentences are of a stock; what they say is beside the point.",
	Params: []Param{
		{Name: "language", Type: "string", Default: "any", Doc: `The language to switch to: "any", or one of de, fr, es, it, pt, nl, ru, zh, ja, th.`},
	},
	New: func(params map[string]string) (TransformFunc, error) {
		lang, err := languageToSwitchTo(params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string {
			return switchLanguage(r, lang, throw("switch_language/1", seed))
		}, nil
	},

	HoldBack:  gateBytes,
	StreamDoc: "Foreign words come in the place of the response's own, from the first on or after one or two sentences, or stray words are scattered through it. In JSON the first string and every string of two words and more become foreign; a string waits with its first word. What comes before the first character that tells JSON from prose waits too, up to 64 bytes.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		lang, err := languageToSwitchTo(params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) Streamer {
			return run(newForeigner(r.Prompt, lang, throw("switch_language/1", seed)))
		}, nil
	},
}

func languageToSwitchTo(params map[string]string) (string, error) {
	v, err := readParams("switch_language/1", []Param{{Name: "language", Type: "string", Default: "any"}}, params)
	if err != nil {
		return "", err
	}
	return v.oneOf("language", append([]string{"any"}, foreignCodes...)...)
}

var foreignCodes = []string{"de", "fr", "es", "it", "pt", "nl", "ru", "zh", "ja", "th"}

// foreignSentences are general enough to stand in any answer.
var foreignSentences = map[string][]string{
	"de": {
		"Das hängt vor allem davon ab, was Sie mit dem Ergebnis machen möchten.", "Zuerst sollte man sich einen Überblick über die Lage verschaffen.",
		"Es gibt mehrere Möglichkeiten, und jede hat ihre Vor- und Nachteile.", "In der Regel reicht es aus, die einzelnen Schritte nacheinander zu gehen.",
		"Achten Sie darauf, dass die Angaben vollständig und aktuell sind.", "Wenn etwas nicht klar ist, fragen Sie am besten gleich nach.",
		"Danach kann man die übrigen Punkte in Ruhe prüfen.", "Viele Menschen machen am Anfang den Fehler, zu schnell zu sein.",
		"Mit ein wenig Übung wird es von Mal zu Mal einfacher.", "Am Ende ist es wichtig, dass alle Beteiligten das Ergebnis verstehen.",
	},
	"fr": {
		"Cela dépend surtout de ce que vous voulez faire avec le résultat.", "Il faut d'abord se faire une idée claire de la situation.",
		"Il existe plusieurs possibilités, et chacune a ses avantages et ses inconvénients.", "En général, il suffit de suivre les étapes dans l'ordre.",
		"Vérifiez que les informations sont complètes et à jour.", "Si quelque chose n'est pas clair, posez la question tout de suite.",
		"Ensuite, vous pouvez examiner les autres points avec calme.", "Beaucoup de gens font l'erreur d'aller trop vite au début.",
		"Avec un peu de pratique, cela devient plus simple chaque fois.", "À la fin, il est important que tout le monde comprenne le résultat.",
	},
	"es": {
		"Eso depende sobre todo de lo que quiera hacer con el resultado.", "Primero conviene hacerse una idea clara de la situación.",
		"Hay varias posibilidades, y cada una tiene sus ventajas y sus inconvenientes.", "Por lo general basta con seguir los pasos en el orden indicado.",
		"Compruebe que los datos están completos y que son actuales.", "Si algo no está claro, es mejor preguntar en el momento.",
		"Después se pueden revisar los demás puntos con calma.", "Mucha gente comete al principio el error de ir demasiado rápido.",
		"Con un poco de práctica, cada vez es más fácil.", "Al final es importante que todos entiendan el resultado.",
	},
	"it": {
		"Questo dipende soprattutto da quello che si vuole fare con il risultato.", "Prima di tutto è bene farsi un'idea chiara della situazione.",
		"Ci sono diverse possibilità, e ognuna ha i suoi vantaggi e i suoi limiti.", "Di solito è sufficiente seguire i passi nell'ordine.",
		"Controlli che i dati siano completi e che non siano vecchi.", "Se qualcosa non è chiaro, è meglio chiedere subito.",
		"Poi si possono guardare con calma gli altri punti.", "Molti all'inizio fanno l'errore di andare troppo in fretta.",
		"Con un po' di pratica diventa ogni volta più semplice.", "Alla fine è importante che tutti capiscano il risultato.",
	},
	"pt": {
		"Isso depende sobretudo do que você quer fazer com o resultado.", "Primeiro é bom ter uma ideia clara da situação.",
		"Há várias possibilidades, e cada uma tem as suas vantagens e os seus limites.", "Em geral, basta seguir os passos na ordem indicada.",
		"Verifique se os dados estão completos e se são atuais.", "Se alguma coisa não está clara, é melhor perguntar logo.",
		"Depois é possível rever os outros pontos com calma.", "Muitas pessoas cometem no início o erro de ir depressa demais.",
		"Com um pouco de prática, fica mais fácil a cada vez.", "No fim é importante que todos entendam o resultado.",
	},
	"nl": {
		"Dat hangt vooral af van wat u met het resultaat wilt doen.", "Eerst is het goed om een duidelijk beeld van de situatie te krijgen.",
		"Er zijn verschillende mogelijkheden, en elk daarvan heeft voor- en nadelen.", "Meestal is het genoeg om de stappen op volgorde te doen.",
		"Let erop dat de gegevens volledig zijn en dat ze kloppen.", "Als iets niet duidelijk is, vraag het dan meteen.",
		"Daarna kan men de andere punten rustig bekijken.", "Veel mensen maken in het begin de fout om te snel te gaan.",
		"Met een beetje oefening wordt het elke keer makkelijker.", "Aan het einde is het belangrijk dat iedereen het resultaat begrijpt.",
	},
	"ru": {
		"Это зависит прежде всего от того, что вы хотите сделать с результатом.", "Сначала нужно составить ясное представление о положении дел.",
		"Есть несколько возможностей, и у каждой свои преимущества.", "Обычно достаточно выполнить шаги по порядку.",
		"Проверьте, что данные полные и не устарели.", "Если что-то непонятно, лучше спросить сразу.",
		"Затем можно спокойно проверить остальные пункты.", "Многие вначале делают ошибку и слишком торопятся.",
	},
	"zh": {
		"这主要取决于你想用结果做什么。", "首先应该对情况有一个清楚的了解。", "有几种可能性，每一种都有优点和缺点。", "一般来说，按顺序完成各个步骤就足够了。",
		"请确认信息是完整的，而且是最新的。", "如果有不清楚的地方，最好马上提问。", "然后可以慢慢检查其他几点。", "很多人一开始都会犯太着急的错误。",
	},
	"ja": {
		"それは主に、結果を何に使いたいかによります。", "まず、状況をはっきりと理解することが大切です。", "いくつかの方法があり、それぞれに長所と短所があります。",
		"普通は、手順を順番に行うだけで十分です。", "情報が完全で新しいことを確認してください。", "わからないことがあれば、すぐに聞くのが一番です。",
		"その後で、ほかの点をゆっくり調べることができます。", "多くの人は最初に急ぎすぎてしまいます。",
	},
	"th": {
		"ขึ้นอยู่กับว่าคุณต้องการใช้ผลลัพธ์ทำอะไร", "ก่อนอื่นควรเข้าใจสถานการณ์ให้ชัดเจน", "มีหลายทางเลือก และแต่ละทางมีข้อดีและข้อเสีย",
		"โดยทั่วไปแล้วทำตามขั้นตอนทีละข้อก็เพียงพอ", "โปรดตรวจสอบว่าข้อมูลครบถ้วนและเป็นปัจจุบัน", "หากมีสิ่งใดไม่ชัดเจน ควรถามทันที",
	},
}

// strayWords are what corrupted sampling scatters through a text.
var strayWords = []string{
	"สวัสดี", "ขอบคุณ", "ทำงาน", "เพราะว่า", "问题", "我们", "可以", "因为", "系统", "これは", "ために", "ください", "которые", "только", "также", "когда", "그리고", "하지만",
}

func switchLanguage(r Response, lang string, d dice) string {
	if lang == "any" {
		lang = d.pick(foreignCodes)
	}
	if before, body, after, ok := splitJSON(r.Text); ok {
		return before + foreignJSON(body, lang, d) + after
	}
	parts := sentences(r.Text)
	switch mode := d.below(6); {
	case mode == 0 && countWords(r.Text) >= 12:
		return scatter(r.Text, d)
	case mode <= 2 && len(parts) >= 4:
		// The response begins as it should.
		keep := d.between(1, max(1, len(parts)/4))
		head := strings.Join(parts[:keep], "")
		out := head + foreign(lang, max(3*countWords(head), countWords(r.Text)-countWords(head)), d)
		if wrongLanguage(Response{r.Prompt, out}, "prompt", "en") {
			return out
		}
	}
	return foreign(lang, max(countWords(r.Text), 14), d)
}

// foreign is text of at least n words.
func foreign(lang string, n int, d dice) string {
	from := foreignSentences[lang]
	gap := " "
	if lang == "zh" || lang == "ja" {
		gap = ""
	}
	if lang == "th" {
		// Thai separates sentences, not words, by spaces.
		n = max(n/8, 2)
	}
	var b strings.Builder
	for words := 0; ; {
		for _, i := range d.order(len(from)) {
			if b.Len() > 0 {
				b.WriteString(gap)
			}
			b.WriteString(from[i])
			if lang == "th" {
				words++
			} else {
				words += countWords(from[i])
			}
			if words >= n || b.Len() > 4000 {
				return b.String()
			}
		}
	}
}

// scatter puts stray words of other scripts between the words of prose.
func scatter(s string, d dice) string {
	var b strings.Builder
	until, stray := d.between(1, 3), 0
	for _, w := range strings.SplitAfter(s, " ") {
		b.WriteString(w)
		if !strings.HasSuffix(w, " ") || strings.Contains(w, "\n") {
			continue
		}
		if until--; until > 0 {
			continue
		}
		b.WriteString(d.pick(strayWords) + " ")
		stray++
		until = d.between(2, 6)
	}
	for stray < 4 {
		b.WriteString(" " + d.pick(strayWords))
		stray++
	}
	return b.String()
}

// foreignJSON replaces the string values that hold words.
func foreignJSON(body, lang string, d dice) string {
	var b strings.Builder
	from := 0
	values := stringValues(body)
	for i, v := range values {
		n := countWords(body[v.from:v.to])
		if n < 2 && i+1 < len(values) {
			continue
		}
		b.WriteString(body[from:v.from])
		b.WriteString(quoteJSON(foreign(lang, max(n, 16), d)))
		from = v.to
	}
	if len(values) == 0 {
		return quoteJSON(foreign(lang, 16, d))
	}
	b.WriteString(body[from:])
	return b.String()
}
