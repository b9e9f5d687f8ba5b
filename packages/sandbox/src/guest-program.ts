/**
 * The program that each VM evaluates before the code of a caller. It receives the only host function of the VM, which accepts only strings:
 *   host('call', id, name, argumentsAsJson)   returns an error message if the call is rejected
 *   host('log', level, text)                  returns an error message if the console is full
 *   host('done', resultAsJson)                without resultAsJson for undefined
 *   host('fail', errorAsJson)
 * and returns the functions that the host calls. It stores references to the built-in functions that it uses, because the code can replace them.
 * The program is not a security boundary: code that takes it over can still only call `host`, which checks all arguments.
 */
export const GUEST_PROGRAM = `(function (host) {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply, defineProperty, getPrototypeOf } = Reflect;
  const { freeze, create, entries, hasOwn } = Object;
  const { slice, split, toLowerCase } = String.prototype;
  const [ThePromise, TheError, TheProxy, text, global] = [Promise, Error, Proxy, String, globalThis];
  const MAX_TEXT = 4096, MAX_LINE = 16384;
  const pending = { __proto__: null };
  let lastId = 0;

  const cut = (value, most) => apply(slice, value, [0, most]);

  const call = (name, args) => new ThePromise((resolve, reject) => {
    const json = stringify(args);
    if (typeof json !== 'string') throw new TheError('The arguments of ' + name + ' are not JSON');
    const id = text(++lastId);
    pending[id] = { __proto__: null, resolve, reject };
    const refusal = host('call', id, name, json);
    if (refusal === undefined) return;
    delete pending[id];
    reject(new TheError(refusal));
  });

  const answer = (id, isError, json) => {
    const waiting = pending[id];
    delete pending[id];
    const value = json === undefined ? undefined : parse(json);
    if (isError) waiting.reject(toError(value));
    else waiting.resolve(value);
  };

  const toError = ({ message, code, details }) => {
    const error = new TheError(message);
    const set = (key, value) => value !== undefined && defineProperty(error, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    set('code', code);
    set('details', details);
    return error;
  };

  // Every name below a namespace is a function. A namespace has no "then": otherwise "await svc.github" would call it.
  const namespace = (path) => new TheProxy((...args) => call(path, args), {
    __proto__: null,
    get: (_target, key) => (typeof key === 'string' && key !== 'then' ? namespace(path + '.' + key) : undefined),
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    getPrototypeOf: () => null,
  });

  const define = (object, key, value) => defineProperty(object, key, { __proto__: null, value, enumerable: true, configurable: false, writable: false });

  const fetch = async (url, request) => {
    const { status, statusText = '', headers = {}, body = '' } = await call('fetch', [text(url), request]);
    const header = (name) => headers[apply(toLowerCase, text(name), [])];
    return {
      status,
      statusText,
      ok: status >= 200 && status < 300,
      headers: { get: (name) => header(name) ?? null, has: (name) => header(name) !== undefined, entries: () => entries(headers) },
      text: async () => body,
      json: async () => parse(body),
    };
  };

  const addFunction = (name) => {
    if (name === 'fetch') return define(global, name, fetch);
    const path = apply(split, name, ['.']);
    const last = path.length - 1;
    let object = global;
    for (let at = 0; at < last - (path[last] === '*' ? 1 : 0); at++) {
      if (!hasOwn(object, path[at])) define(object, path[at], create(null));
      object = object[path[at]];
    }
    if (path[last] === '*') define(object, path[last - 1], namespace(cut(name, name.length - 2)));
    else define(object, path[last], (...args) => call(name, args));
  };

  const inspect = (value) => {
    try {
      if (typeof value === 'string') return value;
      if (typeof value === 'function') return '[Function]';
      if (value instanceof TheError) return text(value) + (typeof value.stack === 'string' ? '\\n' + value.stack : '');
      const json = typeof value === 'object' && value !== null ? stringify(value) : undefined;
      return typeof json === 'string' ? json : text(value);
    } catch (error) {
      return '[not printable]';
    }
  };

  let isFull = false;
  const print = (level) => (...values) => {
    if (isFull) return;
    let line = '';
    for (let at = 0; at < values.length && line.length < MAX_LINE; at++) line += (at ? ' ' : '') + inspect(values[at]);
    isFull = host('log', level, cut(line, MAX_LINE)) !== undefined;
  };
  const console = {};
  for (const level of ['debug', 'log', 'info', 'warn', 'error']) console[level] = print(level);
  defineProperty(global, 'console', { __proto__: null, value: console, enumerable: false, configurable: true, writable: true });

  const read = (object, key, most) => {
    try {
      const value = object[key];
      return typeof value === 'string' ? cut(value, most) : '';
    } catch (error) {
      return '';
    }
  };

  const describe = (thrown) => {
    if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null) {
      return { __proto__: null, name: '', message: cut(text(thrown), MAX_TEXT), stack: '' };
    }
    return { __proto__: null, name: read(thrown, 'name', MAX_TEXT), message: read(thrown, 'message', MAX_TEXT), stack: read(thrown, 'stack', MAX_TEXT) };
  };

  const start = async (run, input) => {
    let result;
    try {
      result = stringify(await run(parse(input)));
    } catch (error) {
      const { name, message, stack } = describe(error);
      return void host('fail', name, message, stack);
    }
    host('done', result);
  };

  return freeze({ __proto__: null, start, answer, addFunction });
})`;
