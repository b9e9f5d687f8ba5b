import { InputError, type FileValue, type HttpRequest, type InputOf } from '@drawbridge/piece-kit';
import type { properties } from './properties.js';

type Body = Pick<HttpRequest, 'json' | 'body' | 'contentType'>;
type BodyInput = Pick<InputOf<typeof properties>, 'json' | 'form' | 'text' | 'file'>;

/** Returns the body and its content type. Throws InputError if the input has more than one body. */
export function toBody({ json, form, text, file }: BodyInput): Body {
  const [first, second] = Object.entries({ json, form, text, file }).filter(([, value]) => value !== undefined);
  if (first && second) throw new InputError(second[0], `cannot be sent together with "${first[0]}"`);

  if (json !== undefined) return { json };
  if (form) return { body: toForm(form), contentType: 'application/x-www-form-urlencoded' };
  if (text !== undefined) return { body: text, contentType: 'text/plain; charset=utf-8' };
  return file ? fromFile(file) : {};
}

function toForm(form: NonNullable<BodyInput['form']>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    for (const item of [value].flat()) parameters.append(name, String(item));
  }
  return parameters.toString();
}

function fromFile({ base64, mimeType }: FileValue): Body {
  return { body: Buffer.from(base64, 'base64'), contentType: mimeType };
}
