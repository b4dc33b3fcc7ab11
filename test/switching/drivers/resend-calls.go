// Calls of stdin with Resend's client for Go; their results on stdout.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/resend/resend-go/v3"
)

type call struct {
	Op   string            `json:"op"`
	Key  string            `json:"key"`
	Args []json.RawMessage `json:"args"`
}

func (c call) text(at int) (text string) {
	c.read(at, &text)
	return text
}

func (c call) read(at int, into interface{}) {
	if at >= len(c.Args) {
		return
	}
	if err := json.Unmarshal(c.Args[at], into); err != nil {
		panic(err)
	}
}

func perform(c call) (interface{}, error) {
	client, ctx := resend.NewClient(c.Key), context.Background()
	switch c.Op {
	case "send":
		mail, options := &resend.SendEmailRequest{}, &resend.SendEmailOptions{}
		c.read(0, mail)
		c.read(1, options)
		return client.Emails.SendWithOptions(ctx, mail, options)
	case "get":
		return client.Emails.Get(c.text(0))
	case "list":
		options := &resend.ListOptions{}
		c.read(0, options)
		return client.Emails.ListWithOptions(ctx, options)
	case "update":
		return client.Emails.Update(&resend.UpdateEmailRequest{Id: c.text(0), ScheduledAt: c.text(1)})
	case "cancel":
		return client.Emails.Cancel(c.text(0))
	case "batch":
		mails, options := []*resend.SendEmailRequest{}, &resend.BatchSendEmailOptions{}
		validation := struct {
			BatchValidation resend.BatchValidationMode `json:"batch_validation"`
		}{}
		c.read(0, &mails)
		c.read(1, options)
		c.read(1, &validation)
		options.BatchValidation = validation.BatchValidation
		return client.Batch.SendWithOptions(ctx, mails, options)
	case "suppress":
		return client.Suppressions.Add(&resend.AddSuppressionRequest{Email: c.text(0)})
	case "unsuppress":
		return client.Suppressions.Remove(c.text(0))
	case "domains":
		return client.Domains.List()
	}
	panic("unknown operation " + c.Op)
}

func told(c call) map[string]interface{} {
	result, err := perform(c)
	if err == nil {
		return map[string]interface{}{"ok": result}
	}
	failure := map[string]interface{}{"class": "error", "message": err.Error()}
	limited := &resend.RateLimitError{}
	if errors.As(err, &limited) {
		failure["class"], failure["retry_after"] = "RateLimitError", limited.RetryAfter
	}
	return map[string]interface{}{"error": failure}
}

func main() {
	calls := []call{}
	if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil {
		panic(err)
	}
	results := []map[string]interface{}{}
	for _, each := range calls {
		results = append(results, told(each))
	}
	text, err := json.Marshal(results)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
