import { piece } from '@drawbridge/piece-kit';
import { decode } from './actions/decode.js';
import { encode } from './actions/encode.js';
import { hash } from './actions/hash.js';
import { hmac } from './actions/hmac.js';

export const hashEncode = piece({
  name: 'hash-encode',
  displayName: 'Hash and encode',
  description: 'Hashes, signs, encodes and decodes text.',
  categories: ['UTILITIES'],
  actions: { hash, hmac, encode, decode },
});
