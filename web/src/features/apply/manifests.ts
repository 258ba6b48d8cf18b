/** Adds the content of files to what is there, as further documents. */
export function withFiles(text: string, files: readonly string[]): string {
  const parts = [text, ...files].map((part) => part.trim()).filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join('\n---\n')}\n`;
}

/** How many documents failed, or were not tried because of that. */
export function failedOf(documents: readonly { outcome: string }[]): number {
  return documents.filter(({ outcome }) => outcome === 'FAILED' || outcome === 'SKIPPED').length;
}
