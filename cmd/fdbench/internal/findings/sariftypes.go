package findings

// The part of SARIF 2.1.0 that is written here. The numbers are those of the
// sections of the standard.

type sarifLog struct { // 3.13
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct { // 3.14
	Tool               sarifTool                `json:"tool"`
	Invocations        []sarifInvocation        `json:"invocations"`
	OriginalURIBaseIDs map[string]sarifArtifact `json:"originalUriBaseIds"`
	Artifacts          []sarifArtifactEntry     `json:"artifacts"`
	AutomationDetails  sarifAutomation          `json:"automationDetails"`
	ColumnKind         string                   `json:"columnKind"`
	DefaultEncoding    string                   `json:"defaultEncoding"`
	Results            []sarifResult            `json:"results"`
}

type sarifAutomation struct { // 3.17
	ID string `json:"id"`
}

type sarifTool struct { // 3.18
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct { // 3.19
	Name           string      `json:"name"`
	Version        string      `json:"version"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifInvocation struct { // 3.20
	ExecutionSuccessful bool `json:"executionSuccessful"`
	ExitCode            int  `json:"exitCode"`
}

type sarifArtifactEntry struct { // 3.24
	Location       sarifArtifact `json:"location"`
	Length         int           `json:"length"`
	Encoding       string        `json:"encoding"`
	SourceLanguage string        `json:"sourceLanguage"`
}

type sarifArtifact struct { // 3.4
	URI         string        `json:"uri,omitempty"`
	URIBaseID   string        `json:"uriBaseId,omitempty"`
	Index       *int          `json:"index,omitempty"`
	Description *sarifMessage `json:"description,omitempty"`
}

type sarifMessage struct { // 3.11, 3.12
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifRule struct { // 3.49
	ID                   string             `json:"id"`
	ShortDescription     sarifMessage       `json:"shortDescription"`
	FullDescription      sarifMessage       `json:"fullDescription"`
	Help                 sarifMessage       `json:"help"`
	HelpURI              string             `json:"helpUri"`
	DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	Properties           sarifTags          `json:"properties"`
}

type sarifConfiguration struct { // 3.50
	Level string `json:"level"`
}

type sarifTags struct { // 3.8.2
	Tags []string `json:"tags"`
}

type sarifResult struct { // 3.27
	RuleID              string             `json:"ruleId"`
	RuleIndex           int                `json:"ruleIndex"`
	Kind                string             `json:"kind"`
	Level               string             `json:"level"`
	Message             sarifMessage       `json:"message"`
	Locations           []sarifLocation    `json:"locations"`
	PartialFingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions        []sarifSuppression `json:"suppressions"`
	Fixes               []sarifFix         `json:"fixes,omitempty"`
}

type sarifLocation struct { // 3.28
	PhysicalLocation sarifPhysical  `json:"physicalLocation"`
	LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct { // 3.29
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           sarifRegion   `json:"region"`
	ContextRegion    *sarifRegion  `json:"contextRegion,omitempty"`
}

type sarifRegion struct { // 3.30
	StartLine   int           `json:"startLine"`
	StartColumn int           `json:"startColumn"`
	EndLine     int           `json:"endLine"`
	EndColumn   int           `json:"endColumn"`
	ByteOffset  *int          `json:"byteOffset,omitempty"`
	ByteLength  *int          `json:"byteLength,omitempty"`
	Snippet     *sarifSnippet `json:"snippet,omitempty"`
}

type sarifSnippet struct { // 3.3
	Text string `json:"text"`
}

type sarifLogical struct { // 3.33
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

type sarifSuppression struct { // 3.35
	Kind          string         `json:"kind"`
	Justification string         `json:"justification"`
	Location      *sarifLocation `json:"location,omitempty"`
}

type sarifFix struct { // 3.55
	Description     sarifMessage  `json:"description"`
	ArtifactChanges []sarifChange `json:"artifactChanges"`
}

type sarifChange struct { // 3.56
	ArtifactLocation sarifArtifact      `json:"artifactLocation"`
	Replacements     []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct { // 3.57
	DeletedRegion   sarifRegion   `json:"deletedRegion"`
	InsertedContent *sarifSnippet `json:"insertedContent,omitempty"`
}
