-- Nodes that hand mail over without asking the queue must hear of a pause when it begins.
create function notify_paused_destination() returns trigger language plpgsql as $$
begin
  perform pg_notify('chasqui_changed', 'paused_destinations ' || coalesce(new.instance_id, old.instance_id));
  return null;
end $$;

create trigger paused_destinations_changed after insert or delete on paused_destinations
  for each row execute function notify_paused_destination();
