"""The built-in API adapter: it calls a service and writes down what answers. It judges nothing."""
