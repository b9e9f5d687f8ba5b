import {
  fieldParts,
  type FileValue,
  filePart,
  type Http,
  type JsonValue,
  member,
  multipart,
} from '@drawbridge/piece-kit';

type Fields = Parameters<typeof fieldParts>[0];

/** Sends a message with a file, and returns the message: https://core.telegram.org/bots/api#sending-files */
export async function upload(
  http: Http,
  path: string,
  { name, file, fields }: { name: string; file: FileValue; fields: Fields },
): Promise<JsonValue> {
  const parts = [...fieldParts(fields), filePart(name, file)];
  return member(await http.json({ method: 'POST', path, ...multipart(parts) }), 'result') ?? null;
}
