export interface Mail {
  to: string;
  body: string;
}

export function welcome(name: string, address: string): Mail {
  return { to: address, body: `Dear ${name ? 'reader' : 'guest'},\nwelcome to the library.` };
}
