package reuse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/random"
)

// words are what the documents are made of. A run of a block's length does not
// come twice by chance.
var words = strings.Fields(`amber anchor autumn barley basin beacon birch border bridge bronze candle canal cedar chapel cliff cloud
	copper coral cotton crane crate creek crown delta dock drift ember engine fable falcon ferry field flint forest fountain frost
	garden gate glacier grain granite grove harbour harvest hazel heron hill hollow horizon island ivory jetty juniper kettle lantern
	larch ledger linen loom maple marble market meadow mill mirror moss needle oak oar orchard otter paddle pasture pebble pine plough
	pond poplar quarry quill rafter raven reed ridge river robin rope saddle saffron sail salt sand shore silver slate sparrow spire
	spruce stable stone stream summit tallow thistle timber tower trail valley velvet village wagon walnut warden water wheat willow`)

// written are so many documents of two domains, each with a question and its
// answer. Document n has some 200 to 300 words.
func written(n int) []byte {
	var out bytes.Buffer
	for i := range n {
		s := random.New("test", "documents", fmt.Sprint(i))
		word := func() string { return words[s.Below(uint64(len(words)))] }
		place, year := fmt.Sprintf("Station%d", i), 1700+s.Below(300)
		var paragraphs []string
		for p := range 5 {
			var list []string
			for range 3 + i%2 {
				list = append(list, fmt.Sprintf("The %s of the %s lies by a %s %s, and every %s there has a %s.", word(), word(), word(), word(), word(), word()))
			}
			if p == 2 {
				list = append(list, fmt.Sprintf("The railway workshop of %s was opened in %d.", place, year))
			}
			paragraphs = append(paragraphs, strings.Join(list, " "))
		}
		line, err := json.Marshal(map[string]any{
			"id": fmt.Sprintf("doc-%d", i), "text": strings.Join(paragraphs, "\n\n"), "domain": []string{"rivers", "railways"}[i%2],
			"question": fmt.Sprintf("In which year was the railway workshop of %s opened?", place), "answers": []string{fmt.Sprint(year)},
		})
		if err != nil {
			panic(err)
		}
		out.Write(append(line, '\n'))
	}
	return out.Bytes()
}
