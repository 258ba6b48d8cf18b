import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface DemoWorkload {
  instance: string;
  kind: string;
  namespace: string;
  name: string;
  state: string;
  targets: { cluster: string; desiredReplicas?: number; ready?: number }[];
}

const FILE = new URL('../../playground/demo/expected.yaml', import.meta.url);

/** What the playground's demo is meant to come to, as written by hand beside its manifests. */
export function demoWorkloads(): DemoWorkload[] {
  if (!existsSync(FILE)) return [];
  const file = parse(readFileSync(FILE, 'utf8')) as {
    instances: Record<string, { workloads?: Omit<DemoWorkload, 'instance'>[] }>;
  };
  return Object.entries(file.instances).flatMap(([instance, { workloads }]) =>
    (workloads ?? []).map((workload) => ({ ...workload, instance })),
  );
}
