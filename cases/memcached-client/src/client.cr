# The client that `-Dbefore` asks for, with the fixes that are asked for, or the lean one.
{% if flag?(:before) %}
  require "./before"
  {% if flag?(:fix_empty) %}
    require "./fixes/empty"
  {% end %}
  {% if flag?(:fix_copy) %}
    require "./fixes/copy"
  {% end %}
  {% if flag?(:fix_log) %}
    require "./fixes/log"
  {% end %}
{% else %}
  require "./after"
{% end %}
