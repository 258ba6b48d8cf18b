package workloadform

var keyPath = object{fields: []field{
	{name: "key", of: text},
	{name: "path", of: text},
	{name: "mode", of: whole},
}}

var volume = object{fields: []field{
	{name: "name", of: text},
	{name: "configMap", of: &configMapVolume},
	{name: "secret", of: &secretVolume},
	{name: "emptyDir", of: &emptyDirVolume},
	{name: "persistentVolumeClaim", of: &claimVolume},
	{name: "hostPath", of: &hostPathVolume},
	{name: "downwardAPI", of: &downwardAPIVolume},
	{name: "projected", of: &projectedVolume},
	{name: "nfs", of: &nfsVolume},
	{name: "csi", of: &csiVolume},
}}

var configMapVolume = object{fields: []field{
	{name: "name", of: text},
	{name: "optional", of: truth},
	{name: "defaultMode", of: whole},
	{name: "items", of: list{of: &keyPath}},
}}

var secretVolume = object{fields: []field{
	{name: "secretName", of: text},
	{name: "optional", of: truth},
	{name: "defaultMode", of: whole},
	{name: "items", of: list{of: &keyPath}},
}}

var emptyDirVolume = object{fields: []field{
	{name: "medium", of: text},
	{name: "sizeLimit", of: quantity},
}}

var claimVolume = object{fields: []field{
	{name: "claimName", of: text},
	{name: "readOnly", of: truth},
}}

var hostPathVolume = object{fields: []field{
	{name: "path", of: text},
	{name: "type", of: text},
}}

var downwardAPIVolume = object{fields: []field{
	{name: "defaultMode", of: whole},
	{name: "items", of: list{of: &downwardAPIFile}},
}}

var downwardAPIFile = object{fields: []field{
	{name: "path", of: text},
	{name: "fieldRef", of: &fieldRef},
	{name: "resourceFieldRef", of: &resourceFieldRef},
	{name: "mode", of: whole},
}}

var projectedVolume = object{fields: []field{
	{name: "defaultMode", of: whole},
	{name: "sources", of: list{of: &projectedSource}},
}}

var projectedSource = object{fields: []field{
	{name: "configMap", of: &projectedKeys},
	{name: "secret", of: &projectedKeys},
	{name: "downwardAPI", of: &projectedDownwardAPI},
	{name: "serviceAccountToken", of: &projectedToken},
}}

var projectedKeys = object{fields: []field{
	{name: "name", of: text},
	{name: "optional", of: truth},
	{name: "items", of: list{of: &keyPath}},
}}

var projectedDownwardAPI = object{fields: []field{
	{name: "items", of: list{of: &downwardAPIFile}},
}}

var projectedToken = object{fields: []field{
	{name: "audience", of: text},
	{name: "expirationSeconds", of: whole},
	{name: "path", of: text},
}}

var nfsVolume = object{fields: []field{
	{name: "server", of: text},
	{name: "path", of: text},
	{name: "readOnly", of: truth},
}}

var csiVolume = object{fields: []field{
	{name: "driver", of: text},
	{name: "readOnly", of: truth},
	{name: "fsType", of: text},
	{name: "volumeAttributes", of: allPairs},
	{name: "nodePublishSecret", path: "nodePublishSecretRef.name", of: text},
}}
