export function breaking(before: string, after: string): string[];
