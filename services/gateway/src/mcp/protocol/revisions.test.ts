import { type JsonObject, RPC_CODES, toMessage } from './message.js';
import { eraOf, LEGACY, MODERN, negotiated, type ProtocolHeaders } from './revisions.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const META = { [VERSION]: MODERN, [CAPABILITIES]: {} };

const request = (method: string, params: JsonObject = {}) => toMessage({ jsonrpc: '2.0', id: 1, method, params });
const notification = (method: string) => toMessage({ jsonrpc: '2.0', method });
const call = (meta: JsonObject = META, name = 'a__b') => request('tools/call', { name, _meta: meta });
const headers = (changes: ProtocolHeaders = {}): ProtocolHeaders => ({
  ...{ version: MODERN, method: 'tools/call', name: 'a__b' },
  ...changes,
});

describe('the era of a message', () => {
  it.each<[string, ReturnType<typeof toMessage>, ProtocolHeaders]>([
    ['initialize', request('initialize', { protocolVersion: MODERN }), {}],
    ['initialize with a header of its own', request('initialize'), { version: '2025-06-18' }],
    ['what claims nothing', request('tools/list'), {}],
    ['an older header', request('tools/list'), { version: LEGACY[0] }],
    ['a progress token alone', request('tools/call', { _meta: { progressToken: 1 } }), {}],
    ['a notification', notification('notifications/initialized'), {}],
    ['an answer without a request', toMessage({ jsonrpc: '2.0', id: 1, result: {} }), {}],
  ])('is legacy for %s', (_, message, given) => {
    expect(eraOf(message, given)).toEqual({ isModern: false, mayElicitUrl: false });
  });

  it.each<[string, ReturnType<typeof toMessage>, ProtocolHeaders]>([
    ['the body says so and the headers agree', call(), headers()],
    ['there is white space around a header', call(), headers({ version: ` ${MODERN}\t`, name: ' a__b ' })],
    ['the name travels as Base64', call(META, 'ä'), headers({ name: '=?base64?w6Q=?=' })],
    ['no name is needed', request('tools/list', { _meta: META }), { version: MODERN, method: 'tools/list' }],
    [
      'it claims so although its method went',
      request('initialize', { _meta: META }),
      { version: MODERN, method: 'initialize' },
    ],
    ['a notification has the header', notification('notifications/cancelled'), { version: MODERN }],
  ])('is modern where %s', (_, message, given) => {
    expect(eraOf(message, given)).toMatchObject({ isModern: true });
  });

  it.each<[string, ReturnType<typeof toMessage>, ProtocolHeaders, number]>([
    ['a header of another revision', call(), headers({ version: LEGACY[0] }), RPC_CODES.headerMismatch],
    ['no header of the revision', call(), headers({ version: undefined }), RPC_CODES.headerMismatch],
    ['another Mcp-Method', call(), headers({ method: 'tools/list' }), RPC_CODES.headerMismatch],
    ['no Mcp-Method', call(), headers({ method: undefined }), RPC_CODES.headerMismatch],
    ['another Mcp-Name', call(), headers({ name: 'a__c' }), RPC_CODES.headerMismatch],
    ['an Mcp-Name in other case', call(), headers({ name: 'A__B' }), RPC_CODES.headerMismatch],
    ['no Mcp-Name', call(), headers({ name: undefined }), RPC_CODES.headerMismatch],
    ['an Mcp-Name that is no Base64', call(), headers({ name: '=?base64?%%?=' }), RPC_CODES.headerMismatch],
    ['an Mcp-Name of bytes that are no UTF-8', call(), headers({ name: '=?base64?/w==?=' }), RPC_CODES.headerMismatch],
    ['initialize with a modern header', request('initialize'), { version: MODERN }, RPC_CODES.headerMismatch],
    [
      'a notification with another Mcp-Method',
      notification('notifications/cancelled'),
      { version: MODERN, method: 'x' },
      RPC_CODES.headerMismatch,
    ],
    ['a modern header and no _meta', request('tools/list'), { version: MODERN }, RPC_CODES.invalidParams],
    [
      'a modern header and no revision in _meta',
      request('tools/list', { _meta: {} }),
      { version: MODERN },
      RPC_CODES.invalidParams,
    ],
    ['a revision that is no text', call({ ...META, [VERSION]: 5 }), headers(), RPC_CODES.invalidParams],
    ['no capabilities', call({ [VERSION]: MODERN }), headers(), RPC_CODES.invalidParams],
    ['capabilities that are none', call({ ...META, [CAPABILITIES]: 'all' }), headers(), RPC_CODES.invalidParams],
    [
      'an unknown revision',
      call({ ...META, [VERSION]: '2099-01-01' }),
      headers({ version: '2099-01-01' }),
      RPC_CODES.unsupportedVersion,
    ],
    [
      'a legacy revision in _meta',
      call({ ...META, [VERSION]: LEGACY[0] }),
      headers({ version: LEGACY[0] }),
      RPC_CODES.unsupportedVersion,
    ],
    [
      'a notification of an unknown revision',
      notification('x'),
      { version: '2099-01-01' },
      RPC_CODES.unsupportedVersion,
    ],
    ['an unknown legacy header', request('tools/list'), { version: '1999-01-01' }, RPC_CODES.refused],
    [
      'an answer without a request',
      toMessage({ jsonrpc: '2.0', id: 1, result: {} }),
      { version: MODERN },
      RPC_CODES.invalidRequest,
    ],
  ])('is refused with %s', (_, message, given, code) => {
    expect(() => eraOf(message, given)).toThrow(expect.objectContaining({ code, status: 400 }));
  });

  it('says which revisions there are where one is unknown', () => {
    const asked = call({ ...META, [VERSION]: '2099-01-01' });
    const data = { supported: [MODERN], requested: '2099-01-01' };
    expect(() => eraOf(asked, headers({ version: '2099-01-01' }))).toThrow(expect.objectContaining({ data }));
  });

  it.each([
    [{ elicitation: { url: {} } }, true],
    [{ elicitation: { form: {} } }, false],
    [{ elicitation: {} }, false],
    [{ elicitation: { url: true } }, false],
    [{}, false],
  ])('leads a person to an address where the client says %j: %s', (capabilities, mayElicitUrl) => {
    expect(eraOf(call({ ...META, [CAPABILITIES]: capabilities }), headers())).toEqual({ isModern: true, mayElicitUrl });
  });
});

it.each<[requested: unknown, version: string]>([
  ...LEGACY.map((version): [string, string] => [version, version]),
  [MODERN, LEGACY[0]],
  ['2099-01-01', LEGACY[0]],
  [undefined, LEGACY[0]],
  [7, LEGACY[0]],
])('goes on with a client of %s by %s', (requested, version) => {
  expect(negotiated(requested)).toBe(version);
});
