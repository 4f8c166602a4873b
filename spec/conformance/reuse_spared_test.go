package conformance

var sparedOfReuseJournals = []spared{}
var sparedOfReuseResults = []spared{}
