/** Only an address of this origin may be gone to after signing in. */
export function localPath(to: string | undefined): string | undefined {
  if (!to?.startsWith('/') || to.startsWith('//') || to.includes('\\')) return undefined;
  return to.startsWith('/sign-in') ? undefined : to;
}
