import { type ProviderBehaviour, type RecordedRequest } from '@drawbridge/testkit';
import { encodedForms } from './canaries.js';

/** The ways in which a provider can return the credential that it received. `forms` contains its encoded forms by name. */
export const replyBehaviours: Record<string, (forms: Record<string, string>) => ProviderBehaviour> = {
  'answers with it': (forms) => ({
    body: { ...forms, [forms['raw']!]: 'a key', list: [{ deep: Object.values(forms) }] },
  }),
  'answers with it as text': (forms) => ({
    body: Object.values(forms).join('\n'),
    headers: { 'content-type': 'text/plain' },
  }),
  'answers with it as bytes': (forms) => ({
    body: Buffer.from(`\0\xff ${forms['raw']} ${forms['json']} ${forms['url']} ${forms['form']}`, 'latin1'),
    headers: { 'content-type': 'application/octet-stream' },
  }),
  'answers with it in a header': (forms) => ({
    headers: { 'x-echo': forms['inSentence']!, 'x-basic': forms['basic']! },
  }),
  'refuses it, quoting it': (forms) => ({ status: 401, body: { message: forms['inSentence'], code: forms['raw'] } }),
  'fails, quoting it as text': (forms) => ({
    status: 500,
    body: Object.values(forms).join(' '),
    headers: { 'content-type': 'text/html' },
  }),
  'fails, quoting it where our message ends': (forms) => ({ status: 500, body: forms['raw']!.padStart(530, '.') }),
  'redirects with it': (forms) => ({
    status: 302,
    headers: { location: `https://api.example.com/?token=${forms['url']}` },
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
