import { type JsonObject, type Piece } from '@drawbridge/piece-kit';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ConfiguredInstance } from './configured-instances.js';

/** Converts a resolved call. `merged`: the input, if partials changed it. */
export function toInvocation({ auth }: Piece, picked: ConfiguredInstance | undefined, merged?: JsonObject): Invocation {
  return {
    instance: picked?.instance,
    input: merged,
    connectionTypes: [...(auth?.types ?? [])],
    connectionRequired: auth?.required ?? false,
  };
}
