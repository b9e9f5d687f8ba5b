import { type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http';

/** The pace of a body that does not end during the test. It is just fast enough for the gateway, which rejects slower bodies. */
const DRIP = { everyMs: 1_000, bytes: 300 };

/** Requests with bodies that arrive at the slowest accepted pace for the whole test. */
export interface Unfinished {
  /** Requests that the gateway accepted: it responded with 100 Continue. */
  going: ClientRequest[];
  /** Returns the number of responses. */
  answered(): number;
  begin(count: number, url: string, headers: OutgoingHttpHeaders): void;
  hangUp(): void;
}

export function unfinished(): Unfinished {
  const all: ClientRequest[] = [];
  const going: ClientRequest[] = [];
  let answered = 0;
  const begin = (url: string, headers: OutgoingHttpHeaders): void => {
    const slow = { ...headers, 'content-length': 30_000, expect: '100-continue' };
    const one = request(url, { method: 'POST', agent: false, headers: slow });
    const drip = (): void => void (going.includes(one) && one.write(' '.repeat(DRIP.bytes)));
    const dripping = setInterval(drip, DRIP.everyMs);
    one.on('continue', () => (going.push(one), drip())).on('response', () => answered++);
    one.on('error', () => undefined).on('close', () => clearInterval(dripping));
    one.flushHeaders();
    all.push(one);
  };
  return {
    going,
    answered: () => answered,
    begin: (count, url, headers) => {
      for (let n = 0; n < count; n++) begin(url, headers);
    },
    hangUp: () => all.forEach((one) => one.destroy()),
  };
}
