/** The same messages in another language: a text for a text, a function of the same values for a function. */
export type Translation<Messages> = {
  [Name in keyof Messages]: Messages[Name] extends string
    ? string
    : Messages[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Translation<Messages[Name]>;
};
