import { isDocumentId } from './client-documents.js';

it.each([
  'https://claude.ai/oauth/claude-code-client-metadata',
  'https://vscode.dev/oauth/client-metadata.json',
  'https://app.example:8443/a/b',
])('takes %s for where a program says who it is', (id) => expect(isDocumentId(id)).toBe(true));

it.each([
  'http://app.example/client',
  'https://app.example',
  'https://app.example/',
  'https://app.example/client?x=1',
  'https://app.example/client?',
  'https://app.example/client#x',
  'https://app.example/client#',
  'https://user@app.example/client',
  'https://app.example/a/../client',
  'https://APP.example/client',
  'https://app.example:443/client',
  'https://app.example/a b',
  'ftp://app.example/client',
  `https://app.example/${'a'.repeat(500)}`,
  '018f0000-0000-7000-8000-000000000000',
  '',
])('takes %j for no such address', (id) => expect(isDocumentId(id)).toBe(false));
