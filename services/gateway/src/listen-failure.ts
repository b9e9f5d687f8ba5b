/** Returns an Error that names the variable that an operator must change, with its `cause`. */
export function listenFailure(cause: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  return new Error(explain(cause, host, port), { cause });
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: ${port} is taken on ${host}. Give another, or 0 for a free one: npm start -- --port 0`;
    case 'EACCES':
      return `PORT: this user may not listen on ${port}. Give one above 1023, or 0 for a free one: npm start -- --port 0`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} is no address of this machine. Give one of its own, such as 127.0.0.1, or 0.0.0.0 for all`;
    default:
      return `HOST, PORT: can not listen on ${host}, port ${port}: ${message}`;
  }
}
