// What is wrong with what was typed, before anybody is asked: nothing is mended on the quiet.

/** A quantity of Kubernetes: a number and its unit. */
const QUANTITY = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/;

export function isQuantity(typed: string): boolean {
  return QUANTITY.test(typed);
}

/** Whether a text is the name of a resource: `cpu`, `nvidia.com/gpu`. */
export function isResourceName(typed: string): boolean {
  return /^([a-z0-9.-]+\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/.test(typed);
}

/** Whether a text is the name of an object of Kubernetes. */
export function isObjectName(typed: string): boolean {
  return (
    typed.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(typed)
  );
}

export function isWhole(typed: string): boolean {
  return /^-?(0|[1-9][0-9]{0,14})$/.test(typed);
}
