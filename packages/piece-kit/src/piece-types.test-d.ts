// Proofs that a piece can't be declared wrongly: the compiler fails when one of the marked lines becomes legal.
import { piece, type AuthProp } from './index.js';

const about = { name: 'example', displayName: 'Example', description: 'An example.', actions: {} };

piece({ ...about, categories: ['CORE', 'DEVELOPER_TOOLS'] });

// @ts-expect-error -- no category of the contract
piece({ ...about, categories: ['PAINTING'] });
// @ts-expect-error -- a piece is for something
piece({ ...about, categories: [] });

// @ts-expect-error -- a prop says whether it is secret
export const key: AuthProp = { displayName: 'Key', required: true };
