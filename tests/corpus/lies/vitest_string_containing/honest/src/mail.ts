export interface Mail {
  to: string;
  body: string;
}

export function welcome(name: string, address: string): Mail {
  return { to: address, body: [`Dear ${name},`, 'welcome to the library.'].join('\n') };
}
