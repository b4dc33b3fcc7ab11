-- By an answer to the mail. Rows that stand have one of the other methods.
alter table unsubscribes
  drop constraint unsubscribes_method_check,
  add constraint unsubscribes_method_check check (method in ('one_click', 'page', 'mailto', 'reply')) not valid;
