import type { ComponentProps, FormEvent } from 'react';

/**
 * A form that is sent once. React passes events of a dialog on to the component that opened it, wherever the dialog stands
 * in the page: without an end here, confirming inside of a form would send that form too.
 */
export function Form({
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: (event: FormEvent<HTMLFormElement>) => unknown }) {
  return (
    <form
      noValidate
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void onSubmit(event);
      }}
    />
  );
}
