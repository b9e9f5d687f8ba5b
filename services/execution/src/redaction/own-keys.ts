/** Keys that we and our pieces write around what a provider said. They stay readable whatever a secret looks like. */
export const OWN_KEYS = [
  // a FILE, a list and a single value as an output
  ...['filename', 'mimeType', 'base64', 'items', 'value'],
  // what actions that are code answer with: http.send_request, github.get_file, hash-encode
  ...['status', 'headers', 'body', 'path', 'text', 'file', 'size', 'result'],
];
