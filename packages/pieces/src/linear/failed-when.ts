import { graphqlFailure, listAt, textAt, type JsonValue, type StatedFailure } from '@drawbridge/piece-kit';

/** Prefers the message that Linear writes for users: https://linear.app/developers/graphql */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const failure = graphqlFailure(body);
  const message = textAt(listAt(body, 'errors')[0], 'extensions', 'userPresentableMessage');
  return failure && { ...failure, ...(message && { message }) };
}
