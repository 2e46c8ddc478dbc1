export interface Address {
  host: string;
  port: number;
}

export function parse(text: string): Address {
  const [, six, name, port = '80'] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  return { host: six ?? name, port: Number(port) };
}
