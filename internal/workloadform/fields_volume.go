package workloadform

var keyPath = form{
	{Name: "key", Is: text},
	{Name: "path", Is: text},
	{Name: "mode", Is: whole},
}

var volume = form{
	{Name: "name", Is: text},
	{Name: "configMap", Is: object{Form: configMapVolume}},
	{Name: "secret", Is: object{Form: secretVolume}},
	{Name: "emptyDir", Is: object{Form: emptyDirVolume}},
	{Name: "persistentVolumeClaim", Is: object{Form: claimVolume}},
	{Name: "hostPath", Is: object{Form: hostPathVolume}},
	{Name: "downwardAPI", Is: object{Form: downwardAPIVolume}},
	{Name: "projected", Is: object{Form: projectedVolume}},
	{Name: "nfs", Is: object{Form: nfsVolume}},
	{Name: "csi", Is: object{Form: csiVolume}},
}

var configMapVolume = form{
	{Name: "name", Is: text},
	{Name: "optional", Is: truth},
	{Name: "defaultMode", Is: whole},
	{Name: "items", Is: list{Form: keyPath}},
}

var secretVolume = form{
	{Name: "secretName", Is: text},
	{Name: "optional", Is: truth},
	{Name: "defaultMode", Is: whole},
	{Name: "items", Is: list{Form: keyPath}},
}

var emptyDirVolume = form{
	{Name: "medium", Is: text},
	{Name: "sizeLimit", Is: quantity},
}

var claimVolume = form{
	{Name: "claimName", Is: text},
	{Name: "readOnly", Is: truth},
}

var hostPathVolume = form{
	{Name: "path", Is: text},
	{Name: "type", Is: text},
}

var downwardAPIVolume = form{
	{Name: "defaultMode", Is: whole},
	{Name: "items", Is: list{Form: downwardAPIFile}},
}

var downwardAPIFile = form{
	{Name: "path", Is: text},
	{Name: "fieldRef", Is: object{Form: fieldRef}},
	{Name: "resourceFieldRef", Is: object{Form: resourceFieldRef}},
	{Name: "mode", Is: whole},
}

var projectedVolume = form{
	{Name: "defaultMode", Is: whole},
	{Name: "sources", Is: list{Form: projectedSource}},
}

var projectedSource = form{
	{Name: "configMap", Is: object{Form: projectedKeys}},
	{Name: "secret", Is: object{Form: projectedKeys}},
	{Name: "downwardAPI", Is: object{Form: projectedDownwardAPI}},
	{Name: "serviceAccountToken", Is: object{Form: projectedToken}},
}

var projectedKeys = form{
	{Name: "name", Is: text},
	{Name: "optional", Is: truth},
	{Name: "items", Is: list{Form: keyPath}},
}

var projectedDownwardAPI = form{
	{Name: "items", Is: list{Form: downwardAPIFile}},
}

var projectedToken = form{
	{Name: "audience", Is: text},
	{Name: "expirationSeconds", Is: whole},
	{Name: "path", Is: text},
}

var nfsVolume = form{
	{Name: "server", Is: text},
	{Name: "path", Is: text},
	{Name: "readOnly", Is: truth},
}

var csiVolume = form{
	{Name: "driver", Is: text},
	{Name: "readOnly", Is: truth},
	{Name: "fsType", Is: text},
	{Name: "volumeAttributes", Is: allPairs},
	{Name: "nodePublishSecret", At: "nodePublishSecretRef.name", Is: text},
}
