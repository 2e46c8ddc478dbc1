"""The packages of a repository, and which of them need which, by the manifests of their tools."""
