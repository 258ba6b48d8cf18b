/** The texts of another language: the same keys, other words. */
export type Words<English> = {
  [Key in keyof English]: English[Key] extends string ? string : Words<English[Key]>;
};
