import {
  graphqlRequest,
  type Http,
  type JsonObject,
  type JsonValue,
  member,
  ProviderError,
} from '@drawbridge/piece-kit';

/** Returns the request for a GraphQL document: https://developer.monday.com/api-reference/docs/introduction-to-graphql */
export const ask = (document: string, variables: JsonObject = {}) => graphqlRequest(document, variables, '/v2');

/** Runs a mutation and returns its result. Throws ProviderError if there is none, because monday found nothing to change. */
export async function change(http: Http, document: string, variables: JsonObject): Promise<JsonValue> {
  const [result] = Object.values(member(await http.json(ask(document, variables)), 'data') ?? {});
  if (!result) throw new ProviderError('monday.com did not apply the change and gave no reason');
  return result;
}
