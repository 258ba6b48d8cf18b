package prometheus

// Kept is how many values a client's cache holds.
func Kept(c *Client) int {
	c.cache.mu.Lock()
	defer c.cache.mu.Unlock()
	return c.cache.values
}
