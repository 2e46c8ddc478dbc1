export interface Address {
  host: string;
  port: number;
}

export function parse(text: string): Address {
  const [host, port = '80'] = text.split(':');
  return { host, port: Number(port) };
}
