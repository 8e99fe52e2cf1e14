# frozen_string_literal: true

module Deadweight
  # Where the program's classes are written. The methods are taken from where Ruby defines them, for a class may define
  # others of the same name.
  module Classes
    NAME = Module.instance_method(:name)
    DEFINED = Module.instance_method(:const_defined?)
    GET = Module.instance_method(:const_get)
    LOCATION = Module.instance_method(:const_source_location)

    # Name, file and line of each class that has a name and was written in Ruby.
    def self.all
      ObjectSpace.each_object(Class).filter_map do |owner|
        name = NAME.bind_call(owner)
        # A constant may have been given another class since.
        next unless name && DEFINED.bind_call(Object, name) && GET.bind_call(Object, name).equal?(owner)

        file, line = LOCATION.bind_call(Object, name)
        [name, file, line] if file && line
      rescue StandardError, LoadError
        nil
      end
    end
  end
end
