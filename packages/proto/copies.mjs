// Adds a function `copy` to the messages that ts-proto generates. It returns what decoding the encoded message would return, without the bytes, for
// calls between services of one process. A value that it does not expect, such as a number in a text field, makes it throw UNUSUAL (copying.ts), and
// the caller encodes and decodes the message instead.

import { camelCase } from './tags.mjs';

const OPENING = /^export const (\w+): MessageFns<\1>.* = \{\n/gm;
const IMPORT = 'import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";\n';

const SCALARS = {
  TYPE_STRING: 'text',
  TYPE_BOOL: 'bool',
  TYPE_INT32: 'int32',
  TYPE_UINT32: 'uint32',
  TYPE_DOUBLE: 'double',
  TYPE_BYTES: 'bytes',
};
const JSON_TYPES = {
  '.google.protobuf.Struct': 'struct',
  '.google.protobuf.ListValue': 'list',
  '.google.protobuf.Value': 'json',
};

/**
 * Returns a function that adds `copy` to one generated file. `image` is the output of `buf build` as JSON. A message has no copy if it has a field of
 * a type that is not listed above, if it can contain itself, or if it contains a message without a copy.
 */
export function copiesOf(image) {
  const messages = new Map(image.file.filter(isOurs).flatMap(messagesOf));
  const copied = new Set([...messages.keys()].filter((type) => isCopied(type, messages)));
  return (file, source) => withCopies(source, file, { messages, copied });
}

const isOurs = ({ package: its }) => its?.startsWith('drawbridge.');

function messagesOf(file) {
  const path = file.name.replace(/\.proto$/, '.ts');
  const nested = (message, parent) => {
    const name = [...parent, message.name];
    const type = `.${file.package}.${name.join('.')}`;
    return [
      [type, { ...message, path, constant: name.join('_') }],
      ...(message.nestedType ?? []).flatMap((one) => nested(one, name)),
    ];
  };
  return (file.messageType ?? []).flatMap((message) => nested(message, []));
}

function isCopied(type, messages, parents = []) {
  const message = messages.get(type);
  if (!message || parents.includes(type)) return false;
  return (message.field ?? []).every(
    (field) =>
      field.type in SCALARS || field.typeName in JSON_TYPES || isCopied(field.typeName, messages, [...parents, type]),
  );
}

function withCopies(source, file, { messages, copied }) {
  const ofFile = new Map(
    [...copied]
      .map((type) => messages.get(type))
      .filter(({ path }) => path === file)
      .map((one) => [one.constant, one]),
  );
  if (ofFile.size === 0) return source;
  const helpers = `${'../'.repeat(file.split('/').length - 1)}copying.js`;
  return source
    .replace(IMPORT, `$&import * as copying from "${helpers}";\n`)
    .replace('interface MessageFns<T> {\n', '$&  copy?(message: T): T;\n')
    .replace(OPENING, (opening, constant) => {
      const message = ofFile.get(constant);
      return message ? `${opening}${copyOf(message, messages)}` : opening;
    });
}

/** Returns the source of `copy` for a message. The fields have the order of the generated `createBase…`, so that copies have the same hidden class. */
function copyOf(message, messages) {
  const oneofs = new Set();
  const lines = (message.field ?? []).flatMap((field) => {
    if (field.oneofIndex === undefined || field.proto3Optional)
      return [`${field.jsonName}: ${fieldOf(field, message, messages)}`];
    if (oneofs.has(field.oneofIndex)) return [];
    oneofs.add(field.oneofIndex);
    const name = camelCase(message.oneofDecl[field.oneofIndex].name);
    return [`${name}: copying.choice(message.${name}, {${choices(field.oneofIndex, message, messages)}})`];
  });
  return `  copy(message: ${message.constant}): ${message.constant} {\n    return { ${lines.join(', ')} };\n  },\n`;
}

function choices(index, message, messages) {
  const members = message.field.filter(({ oneofIndex, proto3Optional }) => oneofIndex === index && !proto3Optional);
  return members.map((field) => `${field.jsonName}: ${functionOf(field, messages)}`).join(', ');
}

function fieldOf(field, message, messages) {
  const value = `message.${field.jsonName}`;
  const entry = messages.get(field.typeName);
  if (entry?.options?.mapEntry) return `copying.map(${value}, ${functionOf(entry.field[1], messages)})`;
  const copy = functionOf(field, messages);
  if (field.label === 'LABEL_REPEATED') return `copying.repeated(${value}, ${copy})`;
  const isAlwaysSet = field.type !== 'TYPE_MESSAGE' && !field.proto3Optional;
  return isAlwaysSet ? `${copy}(${value})` : `${value} == null ? undefined : ${copy}(${value})`;
}

function functionOf({ type, typeName }, messages) {
  if (type in SCALARS) return `copying.${SCALARS[type]}`;
  if (typeName in JSON_TYPES) return `copying.${JSON_TYPES[typeName]}`;
  return `${messages.get(typeName).constant}.copy!`;
}
