export const KNOWN: Record<string, number> = { '': 7, ab: 832 };
