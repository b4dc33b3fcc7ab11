# Calls of stdin with Resend's client for Ruby; their results on stdout.
require 'resend'

def perform(op, args)
  case op
  when 'send' then Resend::Emails.send(args[0], options: symbols(args[1]))
  when 'get' then Resend::Emails.get(*args)
  when 'list' then Resend::Emails.list(symbols(args[0]))
  when 'update' then Resend::Emails.update({ email_id: args[0], scheduled_at: args[1] })
  when 'cancel' then Resend::Emails.cancel(*args)
  when 'batch' then Resend::Batch.send(args[0], options: symbols(args[1]))
  when 'suppress' then Resend::Suppressions.add({ email: args[0] })
  when 'unsuppress' then Resend::Suppressions.remove(*args)
  when 'domains' then Resend::Domains.list
  end
end

def symbols(options)
  (options || {}).transform_keys(&:to_sym)
end

told = JSON.parse($stdin.read).map do |call|
  Resend.api_key = call['key']
  { ok: perform(call['op'], call['args']).to_h }
rescue Resend::Error => e
  { error: { class: e.class.name.split('::').last, message: e.message,
             status: e.instance_variable_get(:@code), retry_after: e.headers['retry-after'] } }
end
puts told.to_json
