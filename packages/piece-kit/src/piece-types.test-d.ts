// Type tests of piece declarations: the compiler reports an error if a marked line becomes valid.
import { piece, type AuthProp } from './index.js';

const about = { name: 'example', displayName: 'Example', description: 'An example.', actions: {} };

piece({ ...about, categories: ['CORE', 'DEVELOPER_TOOLS'] });

// @ts-expect-error -- not a category of the contract
piece({ ...about, categories: ['PAINTING'] });
// @ts-expect-error -- a piece needs a category
piece({ ...about, categories: [] });

// @ts-expect-error -- a prop must declare whether it is secret
export const key: AuthProp = { displayName: 'Key', required: true };
