import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/playground', import.meta.url));

/** Runs a command of the playground on the fleet that the environment names. */
export function playground(...args: string[]): string {
  return execFileSync(PROGRAM, args, { encoding: 'utf8' }).trim();
}

/** Runs kubectl as the administrator of a cluster of the fleet. */
export function kubectl(cluster: string, args: string[], input?: string): string {
  const program = `${playground('components', 'kubectl')}/kubectl`;
  const all = ['--kubeconfig', playground('kubeconfig', cluster), '--request-timeout=20s', ...args];
  return execFileSync(program, all, { encoding: 'utf8', input }).trim();
}

/**
 * Whether the fleet can make Karmadas: pods run as processes on Linux only, as root or with
 * CAP_SYS_ADMIN. Where CI is set everything has to be shown, so there that is an error.
 */
export function makesInstances(): boolean {
  const source = kubectl('host', ['get', 'instance', 'europe', '-o', 'jsonpath={.spec.source}']);
  if (source === 'Managed') return true;
  if (process.env.CI) throw new Error(`europe is ${source}: this machine cannot run pods as processes`);
  return false;
}
