package apicopy

// clusterpediaEdits are what v0.9.1 uses and v0.8.0 lacks. The names, tags and
// label values are those of v0.9.1's CRDs and of its code.
func clusterpediaEdits() edits {
	const (
		specDoc = "\n\t// Where the credentials are when they are not in the spec.\n\t// +optional\n\t"
		opt     = "\n\t// +optional\n\t"
	)
	return edits{
		// Its generic code needs a language version of 1.18 or later.
		goVersion: "1.22",
		change: map[string][]edit{
			"cluster/v1alpha2/types.go": {
				field("ClusterSpec", specDoc+"AuthenticationFrom *ClusterAuthentication `json:\"authenticationFrom,omitempty\"`"),
				field("ClusterGroupResources", opt+"EventsInvolvedResources []string `json:\"eventsInvolvedResources,omitempty\"`"),
				field("ClusterResourceSyncCondition", opt+"InitialListPhase bool `json:\"initialListPhase,omitempty\"`"),
			},
			"cluster/v1alpha2/zz_generated.deepcopy.go": {
				beforeReturn("ClusterSpec", "DeepCopyInto", `if in.AuthenticationFrom != nil {
					out.AuthenticationFrom = in.AuthenticationFrom.DeepCopy()
				}`),
				beforeReturn("ClusterGroupResources", "DeepCopyInto", `if in.EventsInvolvedResources != nil {
					out.EventsInvolvedResources = append(make([]string, 0, len(in.EventsInvolvedResources)), in.EventsInvolvedResources...)
				}`),
			},
			"clusterpedia/types.go": {
				field("ListOptions", "\n\tInjectEvents bool"),
			},
			"clusterpedia/v1beta1/types.go": {
				field("ListOptions", opt+"InjectEvents bool `json:\"injectEvents,omitempty\"`"),
			},
			"clusterpedia/v1beta1/conversion.go": {
				beforeReturn("", "Convert_v1beta1_ListOptions_To_clusterpedia_ListOptions", `if in.InjectEvents {
					out.InjectEvents = true
				}`),
				beforeCase("Convert_v1beta1_ListOptions_To_clusterpedia_ListOptions", "SearchLabelWithContinue",
					`case clusterpedia.SearchLabelInjectEvents:
					if !in.InjectEvents && len(values) != 0 {
						if err := runtime.Convert_Slice_string_To_bool(&values, &out.InjectEvents, s); err != nil {
							return err
						}
					}`),
				beforeReturn("", "Convert_clusterpedia_ListOptions_To_v1beta1_ListOptions", `out.InjectEvents = in.InjectEvents`),
			},
			"clusterpedia/v1beta1/zz_generated.conversion.go": {
				beforeReturn("", "autoConvert_v1beta1_ListOptions_To_clusterpedia_ListOptions", `out.InjectEvents = in.InjectEvents`),
				beforeReturn("", "autoConvert_clusterpedia_ListOptions_To_v1beta1_ListOptions", `out.InjectEvents = in.InjectEvents`),
				beforeReturn("", "autoConvert_url_Values_To_v1beta1_ListOptions", `if values, ok := map[string][]string(*in)["injectEvents"]; ok && len(values) > 0 {
					if err := runtime.Convert_Slice_string_To_bool(&values, &out.InjectEvents, s); err != nil {
						return err
					}
				} else {
					out.InjectEvents = false
				}`),
			},
		},
		add: map[string]string{
			"cluster/v1alpha2/authentication.go": authenticationTypes,
			"clusterpedia/search.go":             searchLabels,
		},
	}
}

const authenticationTypes = `package v1alpha2

// ClusterAuthentication names where each part of a cluster's credentials is.
type ClusterAuthentication struct {
	// +optional
	KubeConfig *ClusterAuthenticationSource ` + "`json:\"kubeconfig,omitempty\"`" + `
	// +optional
	CA *ClusterAuthenticationSource ` + "`json:\"ca,omitempty\"`" + `
	// +optional
	Key *ClusterAuthenticationSource ` + "`json:\"key,omitempty\"`" + `
	// +optional
	Cert *ClusterAuthenticationSource ` + "`json:\"cert,omitempty\"`" + `
	// +optional
	Token *ClusterAuthenticationSource ` + "`json:\"token,omitempty\"`" + `
}

// ClusterAuthenticationSource is one place.
type ClusterAuthenticationSource struct {
	SecretKeySelector ` + "`json:\",inline\"`" + `
}

// SecretKeySelector is a key of a Secret in the synchro manager's namespace.
type SecretKeySelector struct {
	// +required
	Name string ` + "`json:\"name\"`" + `
	// +required
	Key string ` + "`json:\"key\"`" + `
}

// DeepCopyInto copies the receiver into out. in must be non-nil.
func (in *ClusterAuthentication) DeepCopyInto(out *ClusterAuthentication) {
	*out = ClusterAuthentication{
		KubeConfig: in.KubeConfig.DeepCopy(),
		CA:         in.CA.DeepCopy(),
		Key:        in.Key.DeepCopy(),
		Cert:       in.Cert.DeepCopy(),
		Token:      in.Token.DeepCopy(),
	}
}

// DeepCopy returns a copy of the receiver, nil for nil.
func (in *ClusterAuthentication) DeepCopy() *ClusterAuthentication {
	if in == nil {
		return nil
	}
	out := new(ClusterAuthentication)
	in.DeepCopyInto(out)
	return out
}

// DeepCopyInto copies the receiver into out. in must be non-nil.
func (in *ClusterAuthenticationSource) DeepCopyInto(out *ClusterAuthenticationSource) {
	*out = *in
}

// DeepCopy returns a copy of the receiver, nil for nil.
func (in *ClusterAuthenticationSource) DeepCopy() *ClusterAuthenticationSource {
	if in == nil {
		return nil
	}
	out := *in
	return &out
}

// DeepCopyInto copies the receiver into out. in must be non-nil.
func (in *SecretKeySelector) DeepCopyInto(out *SecretKeySelector) {
	*out = *in
}

// DeepCopy returns a copy of the receiver, nil for nil.
func (in *SecretKeySelector) DeepCopy() *SecretKeySelector {
	if in == nil {
		return nil
	}
	out := *in
	return &out
}
`

const searchLabels = `package clusterpedia

const (
	SearchLabelInjectEvents   = "search.clusterpedia.io/inject-events"
	SearchLabelForwardRequest = "search.clusterpedia.io/forward"

	ShadowAnnotationEvents = "shadow.clusterpedia.io/events"
)
`
