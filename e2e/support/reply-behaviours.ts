import { type ProviderBehaviour, type RecordedRequest } from '@drawbridge/testkit';
import { encodedForms } from './canaries.js';

/** The ways in which a provider can return the credential that it received. `said` has its encoded forms by name. */
export const replyBehaviours: Record<string, (said: Record<string, string>) => ProviderBehaviour> = {
  'answers with it': (said) => ({ body: { ...said, [said['raw']!]: 'a key', list: [{ deep: Object.values(said) }] } }),
  'answers with it as text': (said) => ({
    body: Object.values(said).join('\n'),
    headers: { 'content-type': 'text/plain' },
  }),
  'answers with it as bytes': (said) => ({
    body: Buffer.from(`\0\xff ${said['raw']} ${said['json']} ${said['url']} ${said['form']}`, 'latin1'),
    headers: { 'content-type': 'application/octet-stream' },
  }),
  'answers with it in a header': (said) => ({ headers: { 'x-echo': said['inSentence']!, 'x-basic': said['basic']! } }),
  'refuses it, quoting it': (said) => ({ status: 401, body: { message: said['inSentence'], code: said['raw'] } }),
  'fails, quoting it as text': (said) => ({
    status: 500,
    body: Object.values(said).join(' '),
    headers: { 'content-type': 'text/html' },
  }),
  'fails, quoting it where our message ends': (said) => ({ status: 500, body: said['raw']!.padStart(530, '.') }),
  'redirects with it': (said) => ({
    status: 302,
    headers: { location: `https://api.example.com/?token=${said['url']}` },
  }),
  'resets the connection': () => ({ reset: true }),
};

/** Returns the received credential, in a different way for each `/<number>?`. The request after a redirect has no number. */
export function echoInTurn({ url, headers }: RecordedRequest): ProviderBehaviour {
  const [, turn] = /^\/(\d+)\?/.exec(url) ?? [];
  const { authorization = '', 'x-secret': secret } = headers;
  const [scheme, sent = ''] = authorization.split(/ (.*)/);
  const credential = secret ?? (scheme === 'Basic' ? Buffer.from(sent, 'base64').toString() : sent);
  const ways = Object.values(replyBehaviours);
  return turn ? ways[Number(turn) % ways.length]!(encodedForms(credential)) : {};
}
