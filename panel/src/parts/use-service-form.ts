import { useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ApiProblem } from '../api/problem.ts';

/**
 * What is saved of something that exists is `changed`: the rest may have been changed elsewhere since the form was opened.
 */
export type Submit<Values> = (values: Values, changed: Partial<Values>) => Promise<unknown>;

/** A form whose mistakes the service tells, each at the input of the same name. */
export function useServiceForm<Values extends Record<string, unknown>>(
  initial: Values,
  onSubmit: Submit<Values>,
) {
  const form = useForm<Values>({ initialValues: initial });
  const [problem, setProblem] = useState<unknown>();
  const violations = problem instanceof ApiProblem ? problem.errors : [];
  const pointers = violations
    .map(({ pointer }) => pointer)
    .filter((each) => nameOf(each, initial) !== undefined);
  const send = form.onSubmit(async (values) => {
    form.clearErrors();
    setProblem(undefined);
    const changed = Object.entries(values).filter(([member]) => form.isDirty(member));
    try {
      await onSubmit(values, Object.fromEntries(changed) as Partial<Values>);
    } catch (error) {
      setProblem(error);
      const told = (error instanceof ApiProblem ? error.errors : []).flatMap(({ pointer, message }) => {
        const name = nameOf(pointer, initial);
        return name === undefined ? [] : [[name, message] as const];
      });
      form.setErrors(Object.fromEntries(told));
    }
  });
  return { form: form as UseFormReturnType<Values>, problem, pointers, send };
}

/** The input that a JSON Pointer leads to or into. */
function nameOf(pointer: string, values: Record<string, unknown>): string | undefined {
  const [name = ''] = pointer.slice(1).split('/');
  return name in values ? name : undefined;
}
