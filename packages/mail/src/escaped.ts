const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a string for HTML, including attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ENTITIES[mark]!);
}
