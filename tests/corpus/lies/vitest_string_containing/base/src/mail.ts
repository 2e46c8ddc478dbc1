export interface Mail {
  to: string;
  body: string;
}

export function welcome(name: string, address: string): Mail {
  return { to: address, body: `Dear ${name},\nwelcome to the library.` };
}
