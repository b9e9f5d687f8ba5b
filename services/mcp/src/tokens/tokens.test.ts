import { requestedScopes } from './tokens.js';

const [TOOLS, CODE] = ['mcp:tools', 'mcp:code'];

it.each([
  ['all that the mode has, where nothing is said', undefined, 'TOOLS', [TOOLS]],
  ['all of CODE', undefined, 'CODE', [TOOLS, CODE]],
  ['less, where less is asked for', [CODE], 'CODE', [CODE]],
  ['each once, in one order', [CODE, TOOLS, CODE], 'CODE', [TOOLS, CODE]],
])('grants %s', (_, asked, mode, granted) => {
  expect(requestedScopes(asked, mode)).toEqual(granted);
});

it.each([
  ['none', [], 'CODE', 'VALIDATION_ERROR'],
  ['an unknown one', [TOOLS, 'mcp:admin'], 'CODE', 'VALIDATION_ERROR'],
  ['code of a server that has none', [TOOLS, CODE], 'TOOLS', 'INVALID_MCP_SCOPES'],
])('refuses %s', (_, asked, mode, code) => {
  expect(() => requestedScopes(asked, mode)).toThrow(expect.objectContaining({ code }));
});
