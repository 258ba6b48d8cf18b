package kubelet

import (
	"fmt"
	"strings"
)

// program returns what runs for an image, as a registry would: by repository and
// tag.
func program(all []Program, image string) (Program, error) {
	repository, tag := image, "latest"
	if i := strings.LastIndex(image, "@"); i >= 0 {
		repository, tag = image[:i], image[i+1:]
	} else if i := strings.LastIndex(image, ":"); i > strings.LastIndex(image, "/") {
		repository, tag = image[:i], image[i+1:]
	}
	name := repository[strings.LastIndex(repository, "/")+1:]
	var names []string
	for _, p := range all {
		names = append(names, p.Image)
		if p.Image != name {
			continue
		}
		for _, prefix := range p.Tags {
			if tag == prefix || strings.HasPrefix(tag, prefix+".") || strings.HasPrefix(tag, prefix+"-") {
				return p, nil
			}
		}
		return p, fmt.Errorf("image %q: of %s the playground has %s only", image, name, strings.Join(p.Tags, ", "))
	}
	return Program{}, fmt.Errorf("image %q: the playground has no image of that name; it has %s", image, strings.Join(names, ", "))
}
