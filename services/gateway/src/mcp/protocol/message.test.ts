import { idOf, RPC_CODES, toMessage } from './message.js';

it.each([
  [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { kind: 'request', id: 1, method: 'ping', params: {} },
  ],
  [
    { jsonrpc: '2.0', id: '', method: 'ping' },
    { kind: 'request', id: '', method: 'ping', params: {} },
  ],
  [
    { jsonrpc: '2.0', method: 'x', params: { a: 1 } },
    { kind: 'notification', method: 'x', params: { a: 1 } },
  ],
  [
    { jsonrpc: '2.0', id: 1, error: {} },
    { kind: 'response', params: {} },
  ],
])('reads %j', (body, message) => {
  expect(toMessage(body)).toEqual(message);
});

it.each([
  [[{ jsonrpc: '2.0', id: 1, method: 'ping' }], RPC_CODES.invalidRequest],
  [[], RPC_CODES.invalidRequest],
  [null, RPC_CODES.invalidRequest],
  ['ping', RPC_CODES.invalidRequest],
  [{}, RPC_CODES.invalidRequest],
  [{ id: 1, method: 'ping' }, RPC_CODES.invalidRequest],
  [{ jsonrpc: '2.0', id: null, method: 'ping' }, RPC_CODES.invalidRequest],
  [{ jsonrpc: '2.0', id: {}, method: 'ping' }, RPC_CODES.invalidRequest],
  [{ jsonrpc: '2.0', id: 1 }, RPC_CODES.invalidRequest],
  [{ jsonrpc: '2.0', id: 1, method: 7 }, RPC_CODES.invalidRequest],
  [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, RPC_CODES.invalidParams],
  [{ jsonrpc: '2.0', id: 1, method: 'ping', params: null }, RPC_CODES.invalidParams],
])('refuses %j', (body, code) => {
  expect(() => toMessage(body)).toThrow(expect.objectContaining({ code, status: 400 }));
});

it.each([
  [{ id: 7 }, 7],
  [{ id: 'a' }, 'a'],
  [{ id: null }, null],
  [{ id: { a: 1 } }, null],
  [[{ id: 1 }], null],
  [undefined, null],
])('answers an error of %j by the id %j', (body, id) => {
  expect(idOf(body)).toBe(id);
});
